export {};

declare global {
  /**
   * The subset of `URLSearchParams` that reads queries, which browsers and Node have. Including all
   * DOM types would let a machine access the page.
   */
  class URLSearchParams {
    constructor(init?: string | Record<string, string> | Iterable<readonly [string, string]>);
    has(name: string): boolean;
    get(name: string): string | null;
    toString(): string;
    [Symbol.iterator](): IterableIterator<[string, string]>;
  }
}
