"""Reads what to do as lines of JSON, does it, and answers each with a line: what came of it, or the error's code."""

import json
import sys
import traceback


def converse(deeds, code_of):
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = deeds[request.pop("do")](request)
        except Exception as error:
            code = code_of(error)
            answer = {"error": code} if code else {"fault": "".join(traceback.format_exception(error))}
        print(json.dumps(answer), flush=True)
