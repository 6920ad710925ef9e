import type { ReactElement } from 'react';
import { useSearch } from 'wouter';
import { chakra } from '../../ui/chakra.ts';

/**
 * Moves the focus as well, so that keyboard navigation continues there and not at the top of the
 * page.
 */
const scrollAndFocus = (node: HTMLElement | null): void => {
  node?.scrollIntoView?.({ block: 'center' });
  node?.focus({ preventScroll: true });
};

/** Scrolls the requested part of the account into view, once, when it appears. */
export const ScrollTarget = ({ part }: { part: 'credits' | 'ways' }): ReactElement | null => {
  const isWanted = new URLSearchParams(useSearch()).get('part') === part;
  return isWanted ? <chakra.span ref={scrollAndFocus} tabIndex={-1} display="block" outline="none" /> : null;
};
