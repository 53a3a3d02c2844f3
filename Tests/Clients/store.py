"""The same clients with a store behind: each writes a Patient, reads it back and finds it."""

import json
import re
import ssl
import subprocess
import urllib.parse
import http.client

import httpx
import requests

SYSTEM = "urn:kiln:client"


def patient(name):
    return {"resourceType": "Patient", "id": name, "identifier": [{"system": SYSTEM, "value": name}]}


def must_find(bundle, name):
    assert bundle["resourceType"] == "Bundle"
    assert [entry["resource"]["id"] for entry in bundle["entry"]] == [name], bundle


def curl_stores_reads_and_finds(target):
    def curl(*arguments, body=None):
        command = ["curl", "--silent", "--show-error", "--fail", "--max-time", "20",
                   "-H", "Authorization: Bearer " + target.token, *arguments]
        if target.certificate:
            command += ["--cacert", target.certificate]
        return json.loads(subprocess.run(command, input=body, capture_output=True, check=True).stdout)

    made = curl("-X", "PUT", "-H", "Content-Type: application/fhir+json", "--data-binary", "@-",
                target.base + "/Patient/curl", body=json.dumps(patient("curl")).encode())
    assert made["meta"]["versionId"] == "1"
    assert curl(target.base + "/Patient/curl") == made
    # The bar as it is, as many clients send it.
    must_find(curl(f"{target.base}/Patient?identifier={SYSTEM}|curl"), "curl")


def http_client_stores_reads_and_finds(target):
    where = urllib.parse.urlsplit(target.base)
    if target.certificate:
        context = ssl.create_default_context(cafile=target.certificate)
        connection = http.client.HTTPSConnection(where.hostname, where.port, context=context)
    else:
        connection = http.client.HTTPConnection(where.hostname, where.port)

    def ask(method, path, body=None):
        headers = {"Authorization": "Bearer " + target.token, "Content-Type": "application/fhir+json"}
        connection.request(method, where.path + path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")

    status, made = ask("PUT", "/Patient/http", json.dumps(patient("http")))
    assert status == 201
    assert ask("GET", "/Patient/http") == (200, made)
    assert ask("HEAD", "/Patient/http") == (200, None)
    must_find(ask("GET", f"/Patient?identifier={urllib.parse.quote(SYSTEM + '|http')}")[1], "http")
    assert ask("GET", "/Patient/nobody")[0] == 404
    connection.close()


def requests_stores_reads_and_finds(target):
    with requests.Session() as session:
        session.trust_env = False
        session.verify = target.certificate or True
        session.headers["Authorization"] = "Bearer " + target.token
        made = session.put(target.base + "/Patient/requests", data=json.dumps(patient("requests")),
                           headers={"Content-Type": "application/fhir+json"})
        assert made.status_code == 201 and made.headers["ETag"] == 'W/"1"'
        read = session.get(target.base + "/Patient/requests", headers={"If-None-Match": 'W/"1"'})
        assert read.status_code == 304 and not read.content
        must_find(session.post(target.base + "/Patient/_search", data={"identifier": SYSTEM + "|requests"}).json(), "requests")


def httpx_stores_reads_and_finds(target):
    context = ssl.create_default_context(cafile=target.certificate) if target.certificate else True
    with httpx.Client(verify=context, headers={"Authorization": "Bearer " + target.token}, trust_env=False) as client:
        made = client.put(target.base + "/Patient/httpx", content=json.dumps(patient("httpx")).encode(),
                          headers={"Content-Type": "application/fhir+json", "Expect": "100-continue"})
        assert made.status_code == 201
        assert client.get(target.base + "/Patient/httpx").json() == made.json()
        must_find(client.get(target.base + "/Patient", params={"identifier": SYSTEM + "|httpx"}).json(), "httpx")


def wrk_reads_without_error(target):
    url = target.base + "/Patient/curl"
    command = ["wrk", "-t1", "-c16", "-d1s", "-H", "Authorization: Bearer " + target.token, url]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    count = int(re.search(r"(\d+) requests in", said).group(1))
    assert count > 20 and "Socket errors" not in said and "Non-2xx" not in said, said


CLIENTS = [curl_stores_reads_and_finds, http_client_stores_reads_and_finds, requests_stores_reads_and_finds,
           httpx_stores_reads_and_finds, wrk_reads_without_error]
