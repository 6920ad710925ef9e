import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { Offer } from '../../../machines/model/buying/redeem.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { problemText } from '../../views/problem-text.ts';
import { CodeForm, grants, Help } from './CodeForm.tsx';
import { Choosing, CreditsGiven, Offered, Payable, type Props } from './Offer.tsx';
import { TitleLine, TitleList } from './TitleLine.tsx';

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Checking your code…</Trans>
  </Loading>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t check your code</Trans>} />
);

const Another = ({ actor }: Props): ReactElement => (
  <EventButton actor={actor} event={{ type: 'another.pressed' }} look="outline">
    <Trans>Enter another code</Trans>
  </EventButton>
);

const Library = ({ look }: { look?: 'outline' }): ReactElement => (
  <ButtonLink href="/mylibrary" {...(look === undefined ? {} : { look })}>
    <Trans>My Library</Trans>
  </ButtonLink>
);

/** Why a code gives nothing, by the server's word. */
const reasons: Record<string, ReactElement> = {
  not_found: <Trans>We don’t know this code. Please check that it’s typed correctly.</Trans>,
  code_used: <Trans>This code has already been used.</Trans>,
  code_expired: <Trans>This code has expired.</Trans>,
  code_withdrawn: <Trans>This code is no longer valid. The shop has withdrawn it.</Trans>,
  code_elsewhere: <Trans>This code is for another shop.</Trans>,
  title_codes_off: <Trans>This shop doesn’t accept codes for titles.</Trans>,
  subscription_codes_off: <Trans>This shop doesn’t accept codes for subscriptions.</Trans>,
  already_owned: <Trans>You already have this title. Your code hasn’t been used.</Trans>,
  already_subscribed: <Trans>You’re already subscribed. Your code hasn’t been used.</Trans>,
  conflict: <Trans>You’re paying for the same thing in another window. Your code hasn’t been used.</Trans>,
};

const reasonOf = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? (reasons[problem.code] ?? problemText(problem)) : problemText(problem);

const Refused = ({ actor }: Props): ReactElement => {
  const { problem, accepts } = useSelector(actor, ({ context }) => context);
  const heading = <Trans>This code can’t be redeemed</Trans>;
  const why = problem === null ? null : reasonOf(problem);
  if (accepts) {
    const notice = problem === null ? null : <ProblemNotice problem={problem}>{why}</ProblemNotice>;
    return <CodeForm actor={actor} heading={heading} notice={notice} />;
  }
  return (
    <Message level={1} failure role="alert" heading={heading}>
      <chakra.div display="grid" gap={4}>
        <p>{why}</p>
        <Help />
      </chakra.div>
    </Message>
  );
};

const SignInNeeded = ({ actor }: Props): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Sign in to use your code</Trans>}
    actions={
      <EventButton actor={actor} event={{ type: 'signIn.pressed' }}>
        <Trans>Sign in</Trans>
      </EventButton>
    }
  >
    <Trans>This shop shows what a code gives only to customers who are signed in. Your code is kept.</Trans>
  </Message>
);

const Unknown = ({ actor }: Props): ReactElement => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return (
    <FailedMessage
      level={1}
      heading={<Trans>We don’t know yet whether your code was redeemed</Trans>}
      actions={
        <EventButton actor={actor} event={{ type: 'retry.pressed' }}>
          <Trans>Retry</Trans>
        </EventButton>
      }
    >
      {problem === null ? null : problemText(problem)} <Trans>Trying again won’t use it twice.</Trans>
    </FailedMessage>
  );
};

/** The title that was given: the one that was chosen, or the only one. */
const titleGiven = ({ titles }: Offer, chosen: string | null) => titles.find(({ id }) => id === chosen) ?? titles[0];

const Ways = ({ actor, offer }: Props & { offer: Offer }): ReactElement => {
  const { store } = useBrand();
  const { instanceId } = useSelector(actor, ({ context }) => context);
  switch (offer.kind) {
    case 'title':
    case 'titles': {
      const isRead = store.enableWebReader && instanceId !== null;
      return (
        <>
          {isRead ? (
            <EventButton actor={actor} event={{ type: 'read.pressed' }}>
              <Trans>Open now</Trans>
            </EventButton>
          ) : null}
          {isRead ? <Library look="outline" /> : <Library />}
        </>
      );
    }
    case 'bundle':
      return <Library />;
    case 'subscription':
      return (
        <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
          <Trans>Continue</Trans>
        </EventButton>
      );
    case 'credits':
    case 'discount':
      return (
        <ButtonLink href="/account">
          <Trans>My Profile</Trans>
        </ButtonLink>
      );
  }
};

/** What the code has given, now or before. */
const Redeemed = ({ actor }: Props): ReactElement | null => {
  const { offer, chosen } = useSelector(actor, ({ context }) => context);
  if (offer === null) return null;
  const title = offer.kind === 'discount' || offer.kind === 'bundle' ? undefined : titleGiven(offer, chosen);
  return (
    <Message
      level={1}
      role="status"
      heading={<Trans>You’ve redeemed this code</Trans>}
      actions={
        <>
          <Ways actor={actor} offer={offer} />
          <Another actor={actor} />
        </>
      }
    >
      {title === undefined ? null : (
        <chakra.div display="grid" gap={4} justifyItems="center">
          <TitleLine title={title} />
          <p>
            <Trans>It’s in your library.</Trans>
          </p>
        </chakra.div>
      )}
      {offer.kind === 'bundle' ? (
        <chakra.div display="grid" gap={4} justifyItems="center">
          <TitleList>
            {offer.titles.map((each) => (
              <li key={each.id}>
                <TitleLine title={each} />
              </li>
            ))}
          </TitleList>
          <p>
            <Trans>They’re in your library.</Trans>
          </p>
        </chakra.div>
      ) : null}
      {offer.kind === 'credits' ? (
        <chakra.p color="ink" fontWeight={600}>
          <CreditsGiven credits={offer.credits} />
        </chakra.p>
      ) : null}
      {offer.plan === null ? null : (
        <chakra.p color="ink" fontWeight={600}>
          {offer.plan.name}
        </chakra.p>
      )}
    </Message>
  );
};

const Owned = ({ actor }: Props): ReactElement => {
  const isOne = useSelector(actor, ({ context }) => context.offer?.titles.length === 1);
  return (
    <Message
      level={1}
      heading={isOne ? <Trans>You already have this title</Trans> : <Trans>You already have these titles</Trans>}
      actions={
        <>
          <Library />
          <Another actor={actor} />
        </>
      }
    >
      <Trans>Your code hasn’t been used. You can pass it on to somebody else.</Trans>
    </Message>
  );
};

const Closed = (): ReactElement => {
  const { store } = useBrand();
  return (
    <Message
      level={1}
      heading={<Trans>Redeem a code</Trans>}
      actions={
        <ButtonLink href="/all">
          <Trans>See all titles</Trans>
        </ButtonLink>
      }
    >
      <chakra.div display="grid" gap={4}>
        <p>{grants(store)}</p>
        <Help />
      </chakra.div>
    </Message>
  );
};

/** What is shown in each state of redeeming. */
const redeemScreens: Screens<typeof redeemMachine> = {
  deciding: Fetching,
  typing: CodeForm,
  keeping: CodeForm,
  kept: Fetching,
  loading: Fetching,
  failed: Failed,
  signInNeeded: SignInNeeded,
  offered: Offered,
  choosing: Choosing,
  payable: Payable,
  redeeming: Offered,
  unknown: Unknown,
  redeemed: Redeemed,
  owned: Owned,
  refused: Refused,
  closed: Closed,
};

/** Redeeming a code. */
export const RedeemView = ({ actor }: Props): ReactElement => <FlowScreen flow="redeem" actor={actor} screens={redeemScreens} />;
