/** The part of docs/clients.md about express-oauth2-jwt-bearer, put to use in an API. */
import express from "express"
import bearer from "express-oauth2-jwt-bearer"
import { base, port, url } from "./settings.js"

const { auth, requiredScopes } = bearer
const app = express()
app.use(auth({ issuerBaseURL: base, audience: "https://api.example.com/" }))
app.get("/", requiredScopes("account:read"), (request, response) => response.json(request.auth.payload))
app.listen(port, "127.0.0.1", () => console.log(url))
