"""A mail server of aiosmtpd. It wants TLS and a login, and prints what it took as one line of JSON each.

receiver.py HOST PORT CERTIFICATE KEY starttls|implicit
"""

import asyncio
import email
import email.policy
import json
import logging
import signal
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

# A kill in the middle must find mails that are being sent.
SECONDS_FOR_A_MAIL = 0.2

host, port, certificate, key, mode = sys.argv[1:6]
asked_before = set()
logging.getLogger("mail.log").setLevel(logging.ERROR)


def say(line):
    print(json.dumps(line), flush=True)


def login(server, session, envelope, mechanism, data):
    right = mechanism in ("PLAIN", "LOGIN") and data.login == b"id" and data.password == b"p/ss word"
    return AuthResult(success=right, auth_data="id" if right else None)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unknown"):
            return "550 5.1.1 no such mailbox"
        if address.startswith("greylisted") and address not in asked_before:
            asked_before.add(address)
            return "451 4.7.1 greylisted, come back later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server, session, envelope):
        say({"begun": True})
        await asyncio.sleep(SECONDS_FOR_A_MAIL)
        content = envelope.content
        mail = email.message_from_bytes(content, policy=email.policy.SMTP)
        parts = {kind: mail.get_body(preferencelist=(kind,)) for kind in ("plain", "html")}
        defects = [defect for part in mail.walk() for defect in part.defects]
        defects += [defect for _, value in mail.items() for defect in getattr(value, "defects", ())]
        say(
            {
                "tls": session.ssl is not None or mode == "implicit",
                "login": session.auth_data,
                "sender": envelope.mail_from,
                "recipients": envelope.rcpt_tos,
                "id": mail["message-id"],
                "from": [f"{one.display_name} {one.addr_spec}" for one in mail["from"].addresses],
                "to": ", ".join(one.addr_spec for one in mail["to"].addresses),
                "subject": str(mail["subject"]),
                "date": mail["date"].datetime.isoformat(),
                "text": parts["plain"].get_content(),
                "html": parts["html"].get_content(),
                "attachments": sum(1 for _ in mail.iter_attachments()),
                "defects": [str(defect) for defect in defects],
                "longest": max(len(line) for line in content.split(b"\r\n")),
                "is_ascii": content.isascii(),
            }
        )
        return "250 2.0.0 ok"


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    is_implicit = mode == "implicit"
    options = {
        "authenticator": login,
        "auth_required": True,
        "auth_require_tls": not is_implicit,
        "require_starttls": not is_implicit,
        "tls_context": None if is_implicit else context,
        "decode_data": False,
    }
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(Handler(), loop=loop, **options), host, int(port), ssl=context if is_implicit else None
    )
    say({"port": server.sockets[0].getsockname()[1]})
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()


asyncio.run(main())
