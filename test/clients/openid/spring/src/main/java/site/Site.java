package site;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the claims of its visitor, from the id_token and from userinfo. */
@SpringBootApplication
@RestController
public class Site {
  public static void main(String[] args) {
    SpringApplication.run(Site.class, args);
  }

  @GetMapping("/")
  Map<String, Object> home(@AuthenticationPrincipal OidcUser user) {
    return Map.of("sub", user.getSubject(), "userinfo", user.getUserInfo().getClaims());
  }
}
