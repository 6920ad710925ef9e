import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { chakra } from '../../ui/chakra.ts';
import { Page, Sheet } from '../../ui/Page.tsx';
import { useLocation, useSearch } from 'wouter';
import { isComplimentary, isResumable, type HeldSubscription, type Plan } from '../../../machines/model/buying/subscription.ts';
import { signInPath, withQuery } from '../../../machines/model/paths.ts';
import { subscribePath } from '../../../machines/model/purchase-paths.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { SupportMail } from '../../views/SupportMail.tsx';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatDay } from '../../brand/facts.ts';
import { StoreText } from '../../views/StoreText.tsx';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { ChangePlanButton, NextPlan } from './ChangePlan.tsx';
import { PlanCredits, Plans } from './Plans.tsx';

/** The store's text about its subscriptions, its credits where no plan lists them, and codes. */
const Offer = ({ plans }: { plans: readonly Plan[] }): ReactElement | null => {
  const { store } = useBrand();
  const { subscriptionMessageHtml, creditsPerRenewal, enableWebSubscriptionRedeem } = store;
  const hasRenewalCredits = plans.length === 0 && creditsPerRenewal > 0;
  if (subscriptionMessageHtml === '' && !hasRenewalCredits && !enableWebSubscriptionRedeem) return null;
  return (
    <Sheet display="grid" gap={4}>
      {subscriptionMessageHtml === '' ? null : <StoreText text={subscriptionMessageHtml} />}
      {hasRenewalCredits ? <PlanCredits credits={creditsPerRenewal} /> : null}
      {enableWebSubscriptionRedeem ? (
        <chakra.p>
          <Trans>
            Have a subscription code? <TextLink href="/redeem">Redeem a code</TextLink>
          </Trans>
        </chakra.p>
      ) : null}
    </Sheet>
  );
};

type Props = { actor: ActorRefFrom<typeof subscriptionMachine> };

const Checking = (): ReactElement => (
  <Loading>
    <Trans>Checking your subscription…</Trans>
  </Loading>
);

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading the subscriptions…</Trans>
  </Loading>
);

const AllTitlesLink = (): ReactElement => (
  <ButtonLink href="/all" look="outline">
    <Trans>See all titles</Trans>
  </ButtonLink>
);

const Offered = ({ actor }: Props): ReactElement => {
  const { signedIn, plans } = useSelector(actor, ({ context }) => context);
  const [path] = useLocation();
  const query = useSearch();
  const { t } = useLingui();
  const { store } = useBrand();
  const code = new URLSearchParams(query).get('code') ?? '';
  // The return URL keeps the code and the plan in this page's URL.
  const signIn = signInPath({ return: withQuery(path, query) });
  return (
    <>
      <Offer plans={plans} />
      {plans.length === 0 ? null : (
        <Plans
          plans={plans}
          action={({ id, name }) => (
            <ButtonLink href={subscribePath(id, code)} aria-label={t`Subscribe: ${name}`}>
              {store.subscribeButtonText || <Trans>Subscribe</Trans>}
            </ButtonLink>
          )}
        />
      )}
      <p>
        {signedIn ? (
          <Trans>You don’t have a subscription.</Trans>
        ) : (
          <Trans>
            Already a subscriber? <TextLink href={signIn}>Sign in</TextLink>
          </Trans>
        )}
      </p>
      {plans.length > 0 ? null : (
        <p>
          <Trans>Would you like to subscribe?</Trans> <SupportMail />
        </p>
      )}
      <div>
        <AllTitlesLink />
      </div>
    </>
  );
};

/** That the customer is subscribed; after a cancellation, until when. */
const SubscriptionStatus = ({ held }: { held: HeldSubscription | null }): ReactElement => {
  const { i18n } = useLingui();
  if (held?.status !== 'cancelled' || held.until === null) return <Trans>You’re subscribed.</Trans>;
  const date = formatDay(held.until, i18n.locale);
  if (isComplimentary(held)) return <Trans>You have access until {date}. It won’t renew.</Trans>;
  return (
    <>
      <Trans>Cancelled. You have access until {date}, and won’t be charged again.</Trans>{' '}
      {isResumable(held) ? (
        <Trans>
          Changed your mind? <TextLink href="/account">Keep it in your account</TextLink>
        </Trans>
      ) : null}
    </>
  );
};

/**
 * The customer's current plan, if it is known, and the plans that it can be changed to.
 * Cancellation is in the account.
 */
const Subscribed = ({ actor }: Props): ReactElement => {
  const { plans: offered, held, problem } = useSelector(actor, ({ context }) => context);
  // The trial is for new subscribers only.
  const plans = offered.map((plan) => ({ ...plan, trialDays: 0 }));
  const currentPlans = plans.filter(({ id }) => id === held?.planId);
  const otherPlans = plans.filter(({ id }) => id !== held?.planId);
  return (
    <>
      <Notice tone="success">
        <p>
          <SubscriptionStatus held={held} />
        </p>
      </Notice>
      {problem === null ? null : <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice>}
      {currentPlans.length === 0 ? null : <Plans plans={currentPlans} />}
      {held === null ? null : (
        <NextPlan held={held}>
          <ChangePlanButton actor={actor} planId={held.planId} name={held.name} />
        </NextPlan>
      )}
      {otherPlans.length === 0 ? null : (
        <chakra.section display="grid" gap={4} aria-labelledby="other-subscriptions">
          <chakra.h2 id="other-subscriptions" fontSize="xl">
            <Trans>Other subscriptions</Trans>
          </chakra.h2>
          <Plans
            plans={otherPlans}
            level={3}
            action={({ id, name }) => <ChangePlanButton actor={actor} planId={id} name={name} />}
          />
        </chakra.section>
      )}
      <Offer plans={currentPlans} />
      <chakra.div display="flex" flexWrap="wrap" gap={3}>
        <ButtonLink href="/account">
          <Trans>Manage your subscription</Trans>
        </ButtonLink>
        <ButtonLink href="/mylibrary" look="outline">
          <Trans>My Library</Trans>
        </ButtonLink>
        <AllTitlesLink />
      </chakra.div>
    </>
  );
};

/** The screen for a URL with a plan that does not exist, or no longer exists. */
const NotFound = (): ReactElement => (
  <>
    <p>
      <Trans>We couldn’t find this subscription. It may no longer be offered.</Trans>
    </p>
    <div>
      <ButtonLink href="/subscription">
        <Trans>See subscriptions</Trans>
      </ButtonLink>
    </div>
  </>
);

const Closed = (): ReactElement => (
  <>
    <p>
      <Trans>This shop doesn’t offer subscriptions. Each title is sold separately.</Trans>
    </p>
    <div>
      <AllTitlesLink />
    </div>
  </>
);

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load the subscriptions</Trans>} />
);

/** The screen for each state of the subscription page. */
const subscriptionScreens: Screens<typeof subscriptionMachine> = {
  deciding: Fetching,
  loading: Fetching,
  checking: Checking,
  offered: Offered,
  subscribed: Subscribed,
  quoting: Subscribed,
  asking: Subscribed,
  changing: Subscribed,
  refreshing: Subscribed,
  notFound: NotFound,
  closed: Closed,
  failed: Failed,
};

/** The plans, and whether the customer is subscribed. */
export const SubscriptionView = ({ actor }: { actor: ActorRefFrom<typeof subscriptionMachine> }): ReactElement => (
  <FlowScreen flow="subscription" actor={actor} screens={subscriptionScreens}>
    {(screen) => (
      <Page width="text" display="grid" gap={6}>
        <chakra.h1 fontSize="3xl">
          <Trans>Subscriptions</Trans>
        </chakra.h1>
        {screen}
      </Page>
    )}
  </FlowScreen>
);
