import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/**
 * A part of a page that is loaded when it is first shown. If loading fails, `otherwise` is shown in
 * its place, since the page works without it.
 */
export const lazyWithFallback = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  otherwise: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await load().catch(() => otherwise) }));
