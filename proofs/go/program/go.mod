module github.com/latchkey/latchkey/proofs/go/program

go 1.26.0

replace (
	github.com/latchkey/latchkey/packages/resource-server-go => ../../../packages/resource-server-go
	github.com/latchkey/latchkey/packages/resource-server-go/grpc => ../../../packages/resource-server-go/grpc
	github.com/latchkey/latchkey/packages/resource-server-go/mcp => ../../../packages/resource-server-go/mcp
)

require (
	github.com/go-chi/chi/v5 v5.5.0
	github.com/golang-jwt/jwt/v5 v5.3.1
	github.com/latchkey/latchkey/packages/resource-server-go v0.0.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/oauth2 v0.36.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
)
