import type { ReactElement } from 'react';
import { useSearch } from 'wouter';
import { chakra } from '../../ui/chakra.ts';

/**
 * Scrolls an element into view and focuses it, so that keyboard navigation continues there and not
 * at the top of the page.
 */
const scrollAndFocus = (node: HTMLElement | null): void => {
  node?.scrollIntoView?.({ block: 'center' });
  node?.focus({ preventScroll: true });
};

/** Scrolls the requested part of the account into view, once, when it appears. */
export const ScrollTarget = ({ part }: { part: 'credits' | 'ways' }): ReactElement | null => {
  const isRequested = new URLSearchParams(useSearch()).get('part') === part;
  return isRequested ? <chakra.span ref={scrollAndFocus} tabIndex={-1} display="block" outline="none" /> : null;
};
