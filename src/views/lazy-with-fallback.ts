import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/**
 * A component that is loaded when it is first rendered. If loading fails, `fallback` is rendered in
 * its place, since the page works without it.
 */
export const lazyWithFallback = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await load().catch(() => fallback) }));
