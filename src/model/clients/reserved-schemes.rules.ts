/**
 * URI schemes that an operating system, a browser or a desktop already uses. No app may register them, because the
 * redirect would open something else. RFC 8252 §7.1, RFC 7595 §3.8.
 *
 * Sources: IANA's registry, Chromium's denied schemes, Microsoft's reserved scheme names, Apple's scheme reference,
 * Android's common intents, GVfs and KIO, and the schemes that HTML lets any web page claim.
 */

type Group = {
  /** The effect of opening such a URI. The error message shows this text after the name of the scheme. */
  readonly does: string
  readonly names: string
  readonly prefixes?: string
  readonly suffixes?: string
}

const GROUPS: readonly Group[] = [
  {
    does: "runs code or shows text that a page chose",
    names: "javascript vbscript livescript mocha jscript data blob filesystem about view-source wysiwyg",
  },
  {
    does: "belongs to a browser itself",
    names:
      "chrome edge brave opera vivaldi devtools resource wyciwyg isolated-app uuid-in-package firefox " +
      "firefoxurl firefoxhtml chromehtml chromiumhtm msedgehtm internetshortcut ie.http safari",
    prefixes: "chrome- moz- safari- firefox- firefoxurl- x-safari- googlechrome microsoft-edge",
  },
  {
    does: "can be claimed by any web page",
    names:
      "bitcoin ftp ftps geo im irc irc6 ircs magnet mailto matrix mms news nntp openpgp4fpr sftp sip sms smsto " +
      "ssh tel urn webcal wtai xmpp",
    prefixes: "web+ ext+",
  },
  {
    does: "calls, messages or pays people",
    names:
      "callto conf facetime facetime-audio fax imessage lightning ethereum litecoin message messages mmsto modem " +
      "payto sips telprompt upi voicemail wechatpay alipay",
  },
  {
    does: "opens files, archives or devices",
    names:
      "file archive burn camera cdda content disk disks dvd fd floppy gphoto2 jar local mhtml mtp package res tar " +
      "trash zip",
  },
  {
    does: "opens a network share, a directory or a remote terminal",
    names:
      "afc afp afps cifs computer dav davs dict dns-sd finger fish gopher ldap ldapi ldaps network nfs nfs4 obex " +
      "prospero rdp remote rlogin rsync scp smb smbs snews telnet tftp tn3270 vnc wais webcals webdav webdavs wsdd",
  },
  {
    does: "streams, subscribes or connects",
    names: "feed feeds pcast podcast podcasts rtmp rtsp rtsps rtspt rtspu stssync udp ws wss",
  },
  {
    does: "opens a part of Windows",
    names:
      "application.manifest application.reference bingmaps blob calculator chm.file explorer feedback-hub hcp help " +
      "insiderhub its lid mk msi.package msi.patch mswindowsmusic mswindowsvideo onenote outlookfeed search shell " +
      "unknown usertileprovider vnd.ms.radio windows.gadget windowsdefender xbox zune",
    prefixes: "ms- microsoft. microsoft- explorer. windows. xbox-",
    suffixes: "-ms",
  },
  {
    does: "opens a part of macOS or iOS",
    names:
      "addressbook app-prefs app-settings applefeedback applenews applenewss applenotes applescript calshow " +
      "cloudphoto contact diagnostics diags ibooks ical icloud-sharing itunes macappstore macappstores map maps " +
      "mobilenotes music musics notes photos-redirect prefs shareddocuments shortcuts sms-private tips videos " +
      "workflow x-coredata x-dictionary x-help-script x-man-page x-radar x-web-search",
    prefixes: "x-apple com.apple. itms apple-",
  },
  {
    does: "opens a part of Android, or an app of its choice there",
    names: "intent intents android-app android.resource market google.navigation google.streetview wifi dpp",
    prefixes: "android. com.android. com.google.android. android-",
  },
  {
    does: "opens a part of a Linux desktop",
    names:
      "admin applications appstream apt apturl flatpak ghelp info kns man programs recent settings snap " +
      "systemsettings timeline",
    prefixes: "flatpak+ apt+",
  },
  {
    does: "is for credential wallets and authenticators",
    names:
      "apple-otpauth eudi-openid4vp fido haip mdoc mdoc-openid4vp openid openid-credential-offer openid-vc " +
      "openid4vp otpauth otpauth-migration siopv2 webauthn",
  },
  {
    does: "names something and opens nothing",
    names: "acct cid data dns did doi info isbn mid ni nih oid tag uuid",
  },
]

/** If several groups contain a name, the first group counts. */
const REASONS: ReadonlyMap<string, string> = new Map(
  GROUPS.toReversed().flatMap(({ names, does }) => names.split(" ").map((name) => [name, does] as const)),
)

const PATTERNS = GROUPS.flatMap(({ prefixes, suffixes, does }) => [
  ...wordsOf(prefixes).map((prefix) => [(scheme: string) => scheme.startsWith(prefix), does] as const),
  ...wordsOf(suffixes).map((suffix) => [(scheme: string) => scheme.endsWith(suffix), does] as const),
])

function wordsOf(text: string | undefined): readonly string[] {
  return text?.split(" ") ?? []
}

/**
 * Says what a URI of this scheme does. The case of the scheme is ignored. Returns null if an app may register the
 * scheme.
 */
export function reservedScheme(scheme: string): string | null {
  const name = scheme.toLowerCase()
  if (name.length === 1) return "is a drive of Windows"
  return REASONS.get(name) ?? PATTERNS.find(([isIn]) => isIn(name))?.[1] ?? null
}
