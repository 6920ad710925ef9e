export {};

declare global {
  /**
   * The part of the web's `URLSearchParams` that reads addresses. Browsers and Node have it,
   * and the rest of the DOM's types would let a machine touch the page.
   */
  class URLSearchParams {
    constructor(init?: string | Record<string, string> | Iterable<readonly [string, string]>);
    has(name: string): boolean;
    get(name: string): string | null;
    toString(): string;
    [Symbol.iterator](): IterableIterator<[string, string]>;
  }
}
