import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';

export const tooManyAttempts = <Trans>Too many attempts. Please try again later.</Trans>;
export const genericFailure = <Trans>That didn’t work. Please try again.</Trans>;

/** Our sentence, and below it the server's answer, for the shop's support. */
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
 * Why something could not be loaded, and what the customer can do next; refusals have their own
 * texts in `problemText`.
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
