import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';
import { refusalText } from './refusal-text.tsx';

const httpText = (status: number): ReactElement => {
  if (status === 429) return refusalText('too_many_requests', '');
  if (status === 404) return <Trans>The shop could not find that.</Trans>;
  if (status >= 500) return <Trans>Something went wrong on our side. Please try again in a moment.</Trans>;
  return refusalText('', '');
};

/** What went wrong, in words that tell a customer what to do next. */
export const problemText = (problem: Problem): ReactElement => {
  switch (problem.kind) {
    case 'unauthorized':
      return <Trans>Your session has ended. Sign in again to go on.</Trans>;
    case 'invalidStore':
      return <Trans>This shop is not open at the moment.</Trans>;
    case 'offline':
      return <Trans>We cannot reach the shop. Check your internet connection and try again.</Trans>;
    case 'timeout':
      return <Trans>The shop is taking too long to answer. Please try again.</Trans>;
    case 'http':
      return httpText(problem.status);
    case 'refused':
      return refusalText(problem.code, problem.message);
    case 'malformed':
      return <Trans>The shop sent an answer that we cannot read. Please try again.</Trans>;
  }
};
