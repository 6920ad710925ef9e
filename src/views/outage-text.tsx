import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';

export const tooOften = <Trans>That was tried too many times. Wait a few minutes, then try again.</Trans>;
export const couldNot = <Trans>The shop could not do that. Please try again.</Trans>;

const httpText = (status: number): ReactElement => {
  if (status === 429) return tooOften;
  if (status === 404) return <Trans>The shop could not find that.</Trans>;
  return status >= 500 ? <Trans>Something went wrong on our side. Please try again in a moment.</Trans> : couldNot;
};

/** Why something did not come, in words that tell a customer what to do next; a refusal's own words are `problemText`'s. */
export const outageText = (problem: Problem): ReactElement => {
  switch (problem.kind) {
    case 'unauthorized':
      return <Trans>Please sign in: this is for customers.</Trans>;
    case 'invalidStore':
      return <Trans>This shop is not open at the moment.</Trans>;
    case 'offline':
      return <Trans>We cannot reach the shop. Check your internet connection and try again.</Trans>;
    case 'timeout':
      return <Trans>The shop is taking too long to answer. Please try again.</Trans>;
    case 'http':
      return httpText(problem.status);
    case 'refused':
      return problem.code.startsWith('too_many_') ? tooOften : couldNot;
    case 'malformed':
      return <Trans>The shop sent an answer that we cannot read. Please try again.</Trans>;
  }
};
