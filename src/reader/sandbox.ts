/** Whether a frame without scripts of its own tells our listeners what happens in it. */
const isHeardWithoutScripts = (): boolean => {
  const probe = document.createElement('iframe');
  probe.setAttribute('sandbox', 'allow-same-origin');
  probe.hidden = true;
  document.body.append(probe);
  let isHeard = false;
  probe.contentDocument?.addEventListener('probe', () => {
    isHeard = true;
  });
  probe.contentDocument?.dispatchEvent(new Event('probe'));
  probe.remove();
  return isHeard;
};

let sandbox: string | null = null;

/**
 * The sandbox of the frames of a book's pages. They are of the shop's own origin, as the reader
 * lays them out, and run no scripts: a page could lift its own sandbox otherwise. WebKit calls no
 * listeners in such frames (bug 218086); there the policy that comes with each page keeps its
 * scripts from running.
 */
export const pageSandbox = (): string =>
  (sandbox ??= isHeardWithoutScripts() ? 'allow-same-origin' : 'allow-same-origin allow-scripts');
