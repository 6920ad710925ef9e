import { awaitElement } from '../ui/await-element.ts';

/** An element of a view in which an engine shows a title. */
export type MountPointName = 'book' | 'video' | 'interactive';

/**
 * The element `[data-mount-point="{name}"]`, as soon as the view has rendered it: an engine starts
 * with its machine's state, before that state's view is rendered. Rejects with the signal's reason
 * when the engine is stopped first.
 */
export const findMountPoint = (name: MountPointName, signal: AbortSignal): Promise<HTMLElement> =>
  awaitElement('data-mount-point', name, signal);

/** Adds an element to the mount point, and removes it when the engine is stopped. */
export const mount = (mountPoint: HTMLElement, element: HTMLElement, signal: AbortSignal): void => {
  mountPoint.append(element);
  signal.addEventListener('abort', () => element.remove());
};
