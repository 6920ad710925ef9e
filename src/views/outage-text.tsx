import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';

export const tooManyAttempts = <Trans>Too many attempts. Please try again later.</Trans>;
export const genericFailure = <Trans>That didn’t work. Please try again.</Trans>;

/**
 * A sentence, and below it the server's message, for the shop's support; without one, only the
 * sentence.
 */
export const addDetail = (sentence: ReactElement, detail: string): ReactElement =>
  detail === '' ? (
    sentence
  ) : (
    <>
      {sentence}
      <br />
      <small>{detail}</small>
    </>
  );

const formatHttpProblem = (status: number): ReactElement => {
  if (status === 429) return tooManyAttempts;
  if (status === 404) return <Trans>We couldn’t find what you’re looking for.</Trans>;
  return status >= 500 ? <Trans>Something went wrong on our side. Please try again in a moment.</Trans> : genericFailure;
};

/**
 * The text about why data could not be loaded, and about how the customer can continue.
 * `formatProblem` has more specific texts for refusals.
 */
export const formatOutage = (problem: Problem): ReactElement => {
  switch (problem.kind) {
    case 'unauthorized':
      return <Trans>Please sign in to see this.</Trans>;
    case 'invalidStore':
      return <Trans>This shop isn’t open right now.</Trans>;
    case 'offline':
      return problem.deviceOffline === true ? (
        <Trans>You’re offline. Check your internet connection and try again.</Trans>
      ) : (
        <Trans>We can’t reach the shop. Please try again in a moment.</Trans>
      );
    case 'timeout':
      return <Trans>The shop is taking too long to respond. Please try again.</Trans>;
    case 'http':
      return addDetail(formatHttpProblem(problem.status), problem.message);
    case 'refused':
      if (problem.code.startsWith('too_many_')) return tooManyAttempts;
      return addDetail(genericFailure, problem.message.startsWith('JSON Error:') ? problem.message : '');
    case 'malformed':
      return <Trans>The shop sent an unexpected response. Please try again.</Trans>;
  }
};
