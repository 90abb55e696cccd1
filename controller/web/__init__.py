"""The API and the pages of the daemon, over HTTP and WebSocket, and the clients of the API."""
