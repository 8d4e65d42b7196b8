//! The MCP client of the Rust SDK. Each step is a line of JSON, and so is its result.
//!
//! {"open": ADDRESS} is printed for the browser; the next line is where the browser was sent back to.

use std::error::Error;
use std::io::stdin;

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{
    AuthClient, AuthorizationCallback, AuthorizationRequest, OAuthState, WWWAuthenticateParams,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

const REDIRECT_URI: &str = "http://127.0.0.1:43111/callback";

type Fault = Box<dyn Error>;

fn heard() -> Result<Option<String>, Fault> {
    let mut line = String::new();
    let length = stdin().read_line(&mut line)?;
    Ok((length > 0).then(|| line.trim().to_owned()))
}

fn returned(address: &str) -> Result<String, Fault> {
    println!("{}", json!({ "open": address }));
    heard()?.ok_or("the browser did not come back".into())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let url = std::env::args().nth(1).ok_or("a URL is missing")?;
    let refused = ().serve(StreamableHttpClientTransport::from_uri(url.as_str())).await;
    let error = refused.err().ok_or("the server asked for no token")?;
    let challenge = error.auth_challenge().ok_or("the server sent no challenge")?.to_owned();

    let mut state = OAuthState::new(url.as_str(), None).await?;
    let request = AuthorizationRequest::new(REDIRECT_URI)
        .with_client_name("Notebook")
        .with_challenge(challenge);
    state.start_authorization(request).await?;
    let callback = returned(&state.get_authorization_url().await?)?;
    state.handle_callback_url(&callback).await?;
    let manager = state.into_authorization_manager().ok_or("it is not authorized")?;

    let auth = AuthClient::new(reqwest::Client::new(), manager);
    let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
    let client = ().serve(StreamableHttpClientTransport::with_client(auth.clone(), config)).await?;
    let tools = client.list_all_tools().await?;
    let mut names: Vec<_> = tools.iter().map(|tool| tool.name.to_string()).collect();
    names.sort();
    println!("{}", json!({ "tools": names }));

    while let Some(line) = heard()? {
        let step: Value = serde_json::from_str(&line)?;
        if step["do"] != "call" {
            let (client_id, tokens) = auth.auth_manager.lock().await.get_credentials().await?;
            let mut said = serde_json::to_value(tokens)?;
            said["client_id"] = json!(client_id);
            println!("{said}");
            continue;
        }
        let tool = step["tool"].as_str().unwrap_or_default().to_owned();
        let arguments = step["arguments"].as_object().cloned().unwrap_or_default();
        let call = || {
            client.call_tool(CallToolRequestParams::new(tool.clone()).with_arguments(arguments.clone()))
        };
        let result = match call().await {
            Ok(result) => result,
            // The SDK leaves it to the program to ask for what the challenge names.
            Err(error) => {
                let challenge = error.auth_challenge().ok_or("there is no challenge")?;
                let params = WWWAuthenticateParams::parse(challenge, &url.parse()?);
                step_up(&auth, &params.scope.unwrap_or_default()).await?;
                call().await?
            }
        };
        let value = serde_json::to_value(&result)?;
        let text = value["content"][0]["text"].as_str().unwrap_or("null");
        let notes: Value = serde_json::from_str(text)?;
        println!("{}", json!({ "error": value["isError"] == json!(true), "value": notes }));
    }
    Ok(())
}

async fn step_up(auth: &AuthClient<reqwest::Client>, scope: &str) -> Result<(), Fault> {
    let manager = auth.auth_manager.lock().await;
    let address = manager.request_scope_upgrade(scope).await?;
    let callback = AuthorizationCallback::from_redirect_url(&returned(&address)?)?;
    let (code, csrf) = (&callback.code, &callback.csrf_token);
    manager.exchange_code_for_token_with_issuer(code, csrf, callback.issuer.as_deref()).await?;
    Ok(())
}
