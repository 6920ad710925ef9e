/** The places that views keep for engines. */
export type StageName = 'book' | 'video' | 'interactive';

/**
 * The element `[data-stage="{name}"]`, as soon as the view has rendered it: an engine starts with its machine's state,
 * which is before the view of that state. Rejects with the signal's reason when the engine is stopped first.
 */
export const findStage = (name: StageName, signal: AbortSignal): Promise<HTMLElement> =>
  new Promise((resolve, reject) => {
    const found = () => document.querySelector<HTMLElement>(`[data-stage="${name}"]`);
    const settle = () => {
      const stage = found();
      if (stage === null) return;
      observer.disconnect();
      resolve(stage);
    };
    const observer = new MutationObserver(settle);
    signal.throwIfAborted();
    signal.addEventListener('abort', () => {
      observer.disconnect();
      reject(signal.reason as Error);
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-stage'] });
    settle();
  });

/** Puts an element on the stage until the engine is stopped. */
export const mount = (stage: HTMLElement, element: HTMLElement, signal: AbortSignal): void => {
  stage.append(element);
  signal.addEventListener('abort', () => element.remove());
};
