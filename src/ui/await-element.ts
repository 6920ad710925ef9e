/**
 * Resolves with the first element with that attribute and value, as soon as a view has rendered it.
 * Rejects with the signal's reason.
 */
export const awaitElement = (attribute: string, value: string, signal: AbortSignal): Promise<HTMLElement> =>
  new Promise((resolve, reject) => {
    const resolveIfFound = () => {
      const element = document.querySelector<HTMLElement>(`[${attribute}="${value}"]`);
      if (element === null) return;
      observer.disconnect();
      resolve(element);
    };
    const observer = new MutationObserver(resolveIfFound);
    signal.throwIfAborted();
    signal.addEventListener('abort', () => {
      observer.disconnect();
      reject(signal.reason as Error);
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: [attribute] });
    resolveIfFound();
  });
