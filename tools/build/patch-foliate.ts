import type { Plugin } from 'vite';

type Patch = { file: 'paginator.js' | 'fixed-layout.js'; from: string; to: string };

/** Patches of foliate-js 1.0.1, instead of a fork of its files. */
const patches: Patch[] = [
  // A frame whose page could not be loaded has no document: the load fails with a `Problem`.
  {
    file: 'paginator.js',
    from: 'return new Promise(resolve => {\n            this.#iframe.addEventListener',
    to: 'return new Promise((resolve, reject) => {\n            this.#iframe.addEventListener',
  },
  {
    file: 'paginator.js',
    from: 'const doc = this.document\n                afterLoad?.(doc)',
    to: 'const doc = this.document; if (!doc) return reject({ kind: "offline" })\n                afterLoad?.(doc)',
  },
  {
    file: 'fixed-layout.js',
    from: 'return new Promise(resolve => {\n            iframe.addEventListener',
    to: 'return new Promise((resolve, reject) => {\n            iframe.addEventListener',
  },
  {
    file: 'fixed-layout.js',
    from: 'const doc = iframe.contentDocument\n                this.dispatchEvent',
    to: 'const doc = iframe.contentDocument; if (!doc) return reject({ kind: "offline" })\n                this.dispatchEvent',
  },
  // A page without text is stored by its number. Its range is the whole chapter, so the next layout
  // would return to the chapter's first page.
  {
    file: 'paginator.js',
    from: 'this.#anchor = range\n',
    to: 'this.#anchor = !this.scrolled && range.startContainer === this.#view.document.body ? (this.page - 1) / Math.max(1, this.pages - 3) : range\n',
  },
  // After a new layout the visible text stays in view if its page was opened by a fraction of the
  // chapter.
  {
    file: 'paginator.js',
    from: '    render() {\n        if (!this.#view) return\n',
    to: "    keep(text) { if (typeof this.#anchor === 'number') this.#anchor = text } render() {\n        if (!this.#view) return\n",
  },
  // Before the pages are counted, the shop fits content wider than a column into it. The root has
  // its width by then: an iframe has whole pixels, and columns would drift away from the pages.
  {
    file: 'paginator.js',
    from: 'this.setImageSize()\n        this.expand()\n    }\n    setImageSize()',
    to: "this.setImageSize(); doc.documentElement.style[vertical ? 'height' : 'width'] = `${this.#size}px`; this.container.dispatchEvent(new CustomEvent('columns', { detail: { doc, column: { width: columnWidth, gap: vertical ? margin : gap, height: vertical ? width : height, vertical } } }))\n        this.expand()\n    }\n    setImageSize()",
  },
  // A page that has been removed is not laid out when its fonts load.
  {
    file: 'paginator.js',
    from: 'expand() {\n        const { documentElement } = this.document',
    to: 'expand() {\n        if (!this.document) return; const { documentElement } = this.document',
  },
  // Pages of which nothing has loaded yet can be removed.
  {
    file: 'paginator.js',
    from: 'this.#view.destroy()\n        this.#view = null\n        this.sections',
    to: 'this.#view?.destroy()\n        this.#view = null\n        this.sections',
  },
  // The shop sets the sandbox of page frames; see `sandbox.ts`.
  {
    file: 'paginator.js',
    from: "this.#iframe.setAttribute('sandbox', 'allow-same-origin allow-scripts')",
    to: "this.#iframe.setAttribute('sandbox', container.getAttribute('sandbox'))",
  },
  {
    file: 'fixed-layout.js',
    from: "iframe.setAttribute('sandbox', 'allow-same-origin allow-scripts')",
    to: "iframe.setAttribute('sandbox', this.getAttribute('sandbox'))",
  },
];

/** Applies the patches; fails unless each patched text occurs exactly once in its file. */
export const patchFoliate = (): Plugin => ({
  name: 'patch-foliate',
  transform(code, id) {
    const [path = ''] = id.split('?');
    const file = /[\\/]foliate-js[\\/]([\w-]+\.js)$/.exec(path)?.[1];
    const filePatches = patches.filter((patch) => patch.file === file);
    if (filePatches.length === 0) return null;
    const patchedCode = filePatches.reduce((source, { from, to }) => {
      if (source.split(from).length !== 2) this.error(`foliate-js/${file}: expected exactly one place that reads: ${from}`);
      return source.replace(from, () => to);
    }, code);
    // No patch adds or removes a line, so the lines of the source map stay valid; columns shift.
    return { code: patchedCode, map: null };
  },
});
