import { use, type ReactElement, type ReactNode } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { FailureFoot } from '../ui/Message.tsx';
import { Notice } from '../ui/Notice.tsx';

/** Whether the server failed or could not be reached, rather than refused the request. */
export const isFailure = ({ kind }: Problem): boolean => kind !== 'refused' && kind !== 'unauthorized';

/**
 * Scrolls to a notice, since the pressed button may be far below it. The focus moves there from a
 * removed element or the form's submit button, so that keyboard navigation continues there.
 */
const bringIntoView = (notice: HTMLElement | null): void => {
  notice?.scrollIntoView?.({ block: 'nearest' });
  const { activeElement: active } = document;
  const isOfItsForm = active?.matches('[type=submit]') === true && notice?.parentElement?.contains(active) === true;
  if (active === document.body || isOfItsForm) notice?.focus({ preventScroll: true });
};

/** The reason why a pressed action failed; `children` are the text. */
export const ProblemNotice = ({ problem, children }: { problem: Problem; children: ReactNode }): ReactElement => (
  <Notice tone="danger" justifyItems="start" ref={bringIntoView} tabIndex={-1} scrollMarginTop="9rem" scrollMarginBottom="2rem">
    {children}
    {isFailure(problem) ? use(FailureFoot) : null}
  </Notice>
);
