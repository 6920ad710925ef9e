/**
 * The part of foliate-js that we use; it ships no types. Derived from its source at the pinned
 * version.
 */
declare namespace Foliate {
  /** A range, an element, or a fraction of the section, 0 to 1. */
  type Anchor = Range | Element | number;
  /** A place in a section; a function as `anchor` gets the section's loaded document. */
  type Target = { index: number; anchor?: Anchor | ((doc: Document) => Anchor) };

  type Section = {
    load: () => string | Promise<string>;
    unload?: () => void;
    linear?: 'no';
    pageSpread?: 'left' | 'right' | 'center' | undefined;
  };

  type Book = {
    dir: 'ltr' | 'rtl';
    sections: Section[];
    rendition: { spread?: string | undefined; viewport?: string };
  };

  /**
   * `fraction` is where the page begins in the section; `range` is what is visible, null in fixed
   * layouts.
   */
  type Relocation = { reason?: string; range: Range | null; index: number; fraction: number; size: number };
  /** Emitted by our patch of the paginator: see `tools/build/patch-foliate.ts`. */
  type Columns = { doc: Document; column: { width: number; gap: number; height: number; vertical: boolean } };
  type Loaded = { doc: Document; index: number };

  interface Renderer extends HTMLElement {
    open: (book: Book) => void;
    goTo: (target: Target) => Promise<void>;
    next: () => Promise<void>;
    prev: () => Promise<void>;
    getContents: () => { doc: Document | null }[];
    destroy: () => void;
  }

  interface Paginator extends Renderer {
    readonly page: number;
    /** Number of pages, including two blank ones, before the first and after the last. */
    readonly pages: number;
    readonly atStart: boolean;
    readonly atEnd: boolean;
    /** Moves by a page in the direction of the velocity, without an animation. */
    snap: (vx: number, vy: number) => void;
    /** Returns to this text after new layouts, unless it has a text already. Patched. */
    keep: (text: Range) => void;
    /** Lays out the page again; it calls this itself when its size changes. */
    render: () => void;
    setStyles: (styles: [before: string, after: string]) => void;
  }

  /** A section from an archive; `id` is the name of its file in the package. */
  type ArchivedSection = {
    id: string;
    linear?: string | undefined;
    pageSpread?: 'left' | 'right' | 'center' | undefined;
    load: () => Promise<string | null>;
    unload: () => void;
  };
  /** A file before it gets an address; values that are set replace its content. */
  type ArchivedFile = {
    readonly name: string;
    get type(): string;
    set type(type: Promise<string>);
    get data(): string | Blob | null | Promise<Blob | null>;
    set data(data: Promise<string>);
  };

  /** A file of a book; foliate parses it by `mediaType`, null where the package has none. */
  type ManifestItem = { readonly id: string | null; href: string; mediaType: string | null };
  /** `opf` is the package document: the items do not include the fallbacks. */
  type Resources = { readonly manifest: ManifestItem[]; readonly opf: Document };

  type ContentsItem = { label: string; href: string; subitems: ContentsItem[] | null };
}

declare module 'foliate-js/paginator.js' {}
declare module 'foliate-js/fixed-layout.js' {}

declare module 'foliate-js/epubcfi.js' {
  type Part = { index: number };
  type Parsed = Part[][] | { parent: Part[][]; start: Part[][]; end: Part[][] };
  export const isCFI: RegExp;
  export const joinIndir: (...cfis: string[]) => string;
  export const fromRange: (range: Range) => string;
  export const parse: (cfi: string) => Parsed;
  /** Resolves the parts after the step in the document. */
  export const toRange: (doc: Document, parts: Parsed) => Range;
  export const fake: { fromIndex: (index: number) => string; toIndex: (parts: Part[] | undefined) => number };
}

declare module 'foliate-js/epub.js' {
  type Files = {
    loadText: (name: string) => Promise<string | null>;
    loadBlob: (name: string) => Promise<Blob | null>;
    getSize: (name: string) => number;
  };
  export class EPUB {
    constructor(files: Files);
    init(): Promise<this>;
    destroy(): void;
    readonly dir: string | null;
    readonly sections: Foliate.ArchivedSection[];
    readonly toc: Foliate.ContentsItem[] | null | undefined;
    readonly pageList: Partial<Foliate.ContentsItem>[] | null | undefined;
    readonly metadata: { title?: unknown; language?: string | string[] };
    readonly rendition: { layout?: string; spread?: string };
    readonly resources: Foliate.Resources;
    readonly transformTarget: EventTarget;
  }
}

declare module 'foliate-js/vendor/zip.js' {
  export class BlobReader {
    constructor(file: Blob);
  }
  /** `getData` writes the unpacked bytes and closes the stream; a folder has none. */
  export type Entry = {
    filename: string;
    uncompressedSize: number;
    getData?: (writer: WritableStream<Uint8Array<ArrayBuffer>>) => Promise<unknown>;
  };
  export class ZipReader {
    /** If `decodeText` returns undefined, the name is decoded as its entry declares. */
    constructor(reader: BlobReader, options: { decodeText: (bytes: Uint8Array) => string | undefined });
    getEntries(): Promise<Entry[]>;
  }
  export const configure: (options: { useWebWorkers: boolean }) => void;
}

declare module 'foliate-js/progress.js' {
  export class TOCProgress {
    init(options: {
      toc: Foliate.ContentsItem[];
      ids: string[];
      splitHref: (href: string | undefined) => string[];
      getFragment: (doc: Document, id: string | undefined) => Element | null;
    }): Promise<void>;
    getProgress(index: number, range: Range | null): Foliate.ContentsItem | null | undefined;
  }
}
