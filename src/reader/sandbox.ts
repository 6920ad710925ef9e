/** Whether our listeners receive events in a sandboxed frame that may not run scripts. */
const receivesWithoutScripts = (): boolean => {
  const probe = document.createElement('iframe');
  probe.setAttribute('sandbox', 'allow-same-origin');
  probe.hidden = true;
  document.body.append(probe);
  let isReceived = false;
  probe.contentDocument?.addEventListener('probe', () => {
    isReceived = true;
  });
  probe.contentDocument?.dispatchEvent(new Event('probe'));
  probe.remove();
  return isReceived;
};

let cachedSandbox: string | null = null;

/**
 * The sandbox of a book page's frame. It has the shop's origin, since the reader lays it out, and
 * runs no scripts: a page could remove its own sandbox otherwise. WebKit calls no listeners in such
 * frames (bug 218086); there the policy (CSP) of each page blocks its scripts instead.
 */
export const getPageSandbox = (): string =>
  (cachedSandbox ??= receivesWithoutScripts() ? 'allow-same-origin' : 'allow-same-origin allow-scripts');
