import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/**
 * A part of a page that is fetched when it is first shown. Where it does not come, `otherwise` is shown in its place: the page
 * does without it.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  otherwise: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await load().catch(() => otherwise) }));
