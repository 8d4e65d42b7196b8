module github.com/latchkey/latchkey/packages/resource-server-go

go 1.24
