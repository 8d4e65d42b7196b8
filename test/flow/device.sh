#!/bin/sh
# Signs a terminal in by device flow, with only curl, as command-line tools do. Usage: device.sh BASE_URL CLIENT_ID
# [SCOPE]. Prints the access token.
set -eu
base=$1 client=$2 scope=${3:-}

# Reads a member of a flat JSON object. The strings in these responses contain no quotes or escapes.
member() { sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\)"\{0,1\}[,}].*/\1/p'; }

opened=$(curl --silent --show-error --fail-with-body "$base/oauth/device-authorization" \
  --data-urlencode "client_id=$client" --data-urlencode "scope=$scope")
device_code=$(printf '%s' "$opened" | member device_code)
interval=$(printf '%s' "$opened" | member interval)
printf 'Open %s and type %s\n' "$(printf '%s' "$opened" | member verification_uri)" \
  "$(printf '%s' "$opened" | member user_code)" >&2

while sleep "$interval"; do
  answer=$(curl --silent --show-error "$base/oauth/token" \
    --data-urlencode "grant_type=urn:ietf:params:oauth:grant-type:device_code" \
    --data-urlencode "device_code=$device_code" --data-urlencode "client_id=$client")
  case $(printf '%s' "$answer" | member error) in
    authorization_pending) ;;
    slow_down) interval=$((interval + 5)) ;;
    '')
      printf '%s' "$answer" | member access_token
      exit 0
      ;;
    *)
      printf '%s\n' "$(printf '%s' "$answer" | member error_description)" >&2
      exit 1
      ;;
  esac
done
