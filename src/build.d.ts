/** The build and its machines' hashes, as a trace names them; put in by the bundler. */
declare const __BUILD__: { build: string; machines: Record<string, string> };

/** The folder beside the scripts in which the build puts the translations; named by all their contents. */
declare const __WORDS__: string;

/** What is used of it; on the server alone. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: Window & typeof globalThis;
  }
}
