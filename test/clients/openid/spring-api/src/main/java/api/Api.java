package api;

import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the claims of the access token and the authorities that Spring Security derives from it. */
@SpringBootApplication
@RestController
public class Api {
  public static void main(String[] args) {
    SpringApplication.run(Api.class, args);
  }

  @Bean
  JwtTypeValidator accessTokenType() {
    return new JwtTypeValidator("at+jwt");
  }

  @GetMapping("/")
  Map<String, Object> caller(JwtAuthenticationToken caller) {
    List<String> authorities = caller.getAuthorities().stream().map(GrantedAuthority::getAuthority).toList();
    return Map.of("claims", caller.getTokenAttributes(), "authorities", authorities);
  }
}
