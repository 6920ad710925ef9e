import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { CodeOffer } from '../../../machines/model/buying/redeem.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Failed as FailedMessage, Message } from '../../ui/Message.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { isFailure, ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { CodeForm, getCodeUses, Help } from './CodeForm.tsx';
import { Choosing, OfferedCredits, Offered, Payable, type Props } from './Offer.tsx';
import { TitleLine, TitleList } from './TitleLine.tsx';

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Checking your code…</Trans>
  </Loading>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t check your code</Trans>} />
);

const AnotherCode = ({ actor }: Props): ReactElement => (
  <EventButton actor={actor} event={{ type: 'another.pressed' }} look="outline">
    <Trans>Enter another code</Trans>
  </EventButton>
);

const LibraryLink = ({ look }: { look?: 'outline' }): ReactElement => (
  <ButtonLink href="/mylibrary" {...(look === undefined ? {} : { look })}>
    <Trans>My Library</Trans>
  </ButtonLink>
);

/** Why a code is refused, by the server's error code. */
const reasonTexts: Record<string, ReactElement> = {
  not_found: <Trans>We don’t recognise this code. Please check that you typed it correctly.</Trans>,
  code_used: <Trans>This code has already been used.</Trans>,
  code_expired: <Trans>This code has expired.</Trans>,
  code_withdrawn: <Trans>This code is no longer valid. The shop has withdrawn it.</Trans>,
  code_elsewhere: <Trans>This code is for another shop.</Trans>,
  title_codes_off: <Trans>This shop doesn’t accept codes for titles.</Trans>,
  subscription_codes_off: <Trans>This shop doesn’t accept codes for subscriptions.</Trans>,
  already_owned: <Trans>You already own this title. Your code hasn’t been used.</Trans>,
  already_subscribed: <Trans>You’re already subscribed. Your code hasn’t been used.</Trans>,
  conflict: <Trans>You’re paying for the same thing in another window. Your code hasn’t been used.</Trans>,
};

const formatReason = (problem: Problem): ReactElement =>
  problem.kind === 'refused' ? (reasonTexts[problem.code] ?? formatProblem(problem)) : formatProblem(problem);

const Refused = ({ actor }: Props): ReactElement => {
  const { problem, accepts } = useSelector(actor, ({ context }) => context);
  const heading = <Trans>This code can’t be redeemed</Trans>;
  const reason = problem === null ? null : formatReason(problem);
  if (accepts) {
    const notice = problem === null ? null : <ProblemNotice problem={problem}>{reason}</ProblemNotice>;
    return <CodeForm actor={actor} heading={heading} notice={notice} />;
  }
  return (
    <Message level={1} failure={problem !== null && isFailure(problem)} role="alert" heading={heading}>
      <chakra.div display="grid" gap={4}>
        <p>{reason}</p>
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
          <Trans>Try again</Trans>
        </EventButton>
      }
    >
      {problem === null ? null : formatProblem(problem)} <Trans>Trying again won’t use it twice.</Trans>
    </FailedMessage>
  );
};

/** The redeemed title: the chosen one, or the only one. */
const getRedeemedTitle = ({ titles }: CodeOffer, chosen: string | null) => titles.find(({ id }) => id === chosen) ?? titles[0];

const NextActions = ({ actor, offer }: Props & { offer: CodeOffer }): ReactElement => {
  const { store } = useBrand();
  const { instanceId } = useSelector(actor, ({ context }) => context);
  switch (offer.kind) {
    case 'title':
    case 'titles': {
      const canRead = store.enableWebReader && instanceId !== null;
      return (
        <>
          {canRead ? (
            <EventButton actor={actor} event={{ type: 'read.pressed' }}>
              <Trans>Open now</Trans>
            </EventButton>
          ) : null}
          {canRead ? <LibraryLink look="outline" /> : <LibraryLink />}
        </>
      );
    }
    case 'bundle':
      return <LibraryLink />;
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

/** The result of a code that has been redeemed, now or earlier. */
const Redeemed = ({ actor }: Props): ReactElement | null => {
  const { offer, chosen } = useSelector(actor, ({ context }) => context);
  if (offer === null) return null;
  const title = offer.kind === 'discount' || offer.kind === 'bundle' ? undefined : getRedeemedTitle(offer, chosen);
  return (
    <Message
      level={1}
      role="status"
      heading={<Trans>You’ve redeemed this code</Trans>}
      actions={
        <>
          <NextActions actor={actor} offer={offer} />
          <AnotherCode actor={actor} />
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
            {offer.titles.map((bundleTitle) => (
              <li key={bundleTitle.id}>
                <TitleLine title={bundleTitle} />
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
          <OfferedCredits credits={offer.credits} />
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
      heading={isOne ? <Trans>You already own this title</Trans> : <Trans>You already own these titles</Trans>}
      actions={
        <>
          <LibraryLink />
          <AnotherCode actor={actor} />
        </>
      }
    >
      <Trans>Your code hasn’t been used. You can pass it on to someone else.</Trans>
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
        <p>{getCodeUses(store)}</p>
        <Help />
      </chakra.div>
    </Message>
  );
};

/** The screen for each state of redeeming. */
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
