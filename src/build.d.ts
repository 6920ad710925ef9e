/** The build and its machines' hashes, as a trace names them; put in by the bundler. */
declare const __BUILD__: { build: string; machines: Record<string, string> };
