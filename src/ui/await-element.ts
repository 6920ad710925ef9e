/**
 * The element with that attribute, as soon as a view has rendered it. Rejects with the signal's
 * reason.
 */
export const awaitElement = (attribute: string, value: string, signal: AbortSignal): Promise<HTMLElement> =>
  new Promise((resolve, reject) => {
    const settle = () => {
      const element = document.querySelector<HTMLElement>(`[${attribute}="${value}"]`);
      if (element === null) return;
      observer.disconnect();
      resolve(element);
    };
    const observer = new MutationObserver(settle);
    signal.throwIfAborted();
    signal.addEventListener('abort', () => {
      observer.disconnect();
      reject(signal.reason as Error);
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: [attribute] });
    settle();
  });
