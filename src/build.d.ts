/** The build and its machines' hashes, as traces record them; injected by the bundler. */
declare const __BUILD__: { build: string; machines: Record<string, string> };

/**
 * The folder beside the scripts that holds the translations; its name is a hash of their contents.
 */
declare const __WORDS__: string;

/** The parts of jsdom that are used, on the server only. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: Window & typeof globalThis;
  }
}
