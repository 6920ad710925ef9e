import type { ReactElement } from 'react';
import { useSearch } from 'wouter';
import { chakra } from '../../ui/chakra.ts';

/**
 * Moves the focus as well, so that keyboard navigation continues there and not at the top of the
 * page.
 */
const goTo = (node: HTMLElement | null): void => {
  node?.scrollIntoView?.({ block: 'center' });
  node?.focus({ preventScroll: true });
};

/** Scrolls the requested part of the account into view, once, when it appears. */
export const Wanted = ({ part }: { part: 'credits' | 'ways' }): ReactElement | null => {
  const isWanted = new URLSearchParams(useSearch()).get('part') === part;
  return isWanted ? <chakra.span ref={goTo} tabIndex={-1} display="block" outline="none" /> : null;
};
