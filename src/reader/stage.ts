import { awaitElement } from '../ui/await-element.ts';

/** The places that views keep for engines. */
export type StageName = 'book' | 'video' | 'interactive';

/**
 * The element `[data-stage="{name}"]`, as soon as the view has rendered it: an engine starts with its machine's state,
 * which is before the view of that state. Rejects with the signal's reason when the engine is stopped first.
 */
export const findStage = (name: StageName, signal: AbortSignal): Promise<HTMLElement> => awaitElement('data-stage', name, signal);

/** Puts an element on the stage until the engine is stopped. */
export const mount = (stage: HTMLElement, element: HTMLElement, signal: AbortSignal): void => {
  stage.append(element);
  signal.addEventListener('abort', () => element.remove());
};
