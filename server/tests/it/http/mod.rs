mod bodies;
mod cross_site;
mod headers;
mod methods;
mod openapi;
