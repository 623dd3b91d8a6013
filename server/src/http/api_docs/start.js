SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#documentation", deepLinking: true });
