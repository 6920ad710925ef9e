import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../machines/model/problem.ts';

export const tooOften = <Trans>Too many attempts. Please try again later.</Trans>;
export const couldNot = <Trans>That didn’t work. Please try again.</Trans>;

/** Our sentence, and below it what the server's answer was, for those who are asked for help. */
export const withDetail = (sentence: ReactElement, detail: string): ReactElement =>
  detail === '' ? (
    sentence
  ) : (
    <>
      {sentence}
      <br />
      <small>{detail}</small>
    </>
  );

const httpText = (status: number): ReactElement => {
  if (status === 429) return tooOften;
  if (status === 404) return <Trans>We couldn’t find what you’re looking for.</Trans>;
  return status >= 500 ? <Trans>Something went wrong on our side. Please try again in a moment.</Trans> : couldNot;
};

/** Why something did not come, in words that tell a customer what to do next; a refusal's own words are `problemText`'s. */
export const outageText = (problem: Problem): ReactElement => {
  switch (problem.kind) {
    case 'unauthorized':
      return <Trans>Please sign in to see this.</Trans>;
    case 'invalidStore':
      return <Trans>This shop isn’t open at the moment.</Trans>;
    case 'offline':
      return problem.deviceOffline === true ? (
        <Trans>You’re offline. Check your internet connection and try again.</Trans>
      ) : (
        <Trans>We can’t reach the shop. Please try again in a moment.</Trans>
      );
    case 'timeout':
      return <Trans>The shop is taking too long to respond. Please try again.</Trans>;
    case 'http':
      return withDetail(httpText(problem.status), problem.message);
    case 'refused':
      if (problem.code.startsWith('too_many_')) return tooOften;
      return withDetail(couldNot, problem.message.startsWith('JSON Error:') ? problem.message : '');
    case 'malformed':
      return <Trans>The shop sent an unexpected response. Please try again.</Trans>;
  }
};
