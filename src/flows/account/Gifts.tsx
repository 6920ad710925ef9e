import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { giftsMachine } from '../../../machines/account/gifts.ts';
import { GiftAddressForm, type GivenGift, isGiftOver } from '../../../machines/model/buying/gift.ts';
import { titlePath } from '../../../machines/model/paths.ts';
import { purchaseSuccessPath } from '../../../machines/model/purchase-paths.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { formatDay, formatDateTime } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { AddressField } from '../../views/lazy/EmailField.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { MachineForm } from '../../views/MachineForm.tsx';
import { keepFocusWithin } from '../../views/keep-focus-within.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { FormAnswers } from './FormAnswers.tsx';
import { Row } from './Row.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof giftsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your gifts…</Trans>
  </Loading>
);

const Empty = (): ReactElement => (
  <p>
    <Trans>You haven’t given anything yet. Every title’s page has a link to give it as a gift.</Trans>
  </p>
);

const formatReason = (problem: Problem): ReactElement => {
  const code = problem.kind === 'refused' ? problem.code : '';
  if (code === 'gift_redeemed') return <Trans>This gift has been opened already.</Trans>;
  if (code === 'gift_letters_used') return <Trans>This gift has been sent ten times. It can’t be sent again.</Trans>;
  if (code === 'gift_link') return <Trans>Its name or message has a web or email address in it. It can’t be sent again.</Trans>;
  if (code === 'gift_just_sent') return <Trans>It has just been sent. You can send it again in a few minutes.</Trans>;
  return formatProblem(problem);
};

/** The status of a gift. */
const Status = ({ gift: { status, deliverOn, sentAt, redeemedAt } }: { gift: GivenGift }): ReactElement => {
  const { i18n } = useLingui();
  const date = formatDay(deliverOn, i18n.locale);
  const sent = formatDateTime(sentAt, i18n.locale);
  const opened = formatDateTime(redeemedAt, i18n.locale);
  const texts: Record<GivenGift['status'], ReactElement> = {
    scheduled: <Trans>Will be sent on {date}</Trans>,
    sending: <Trans>On its way</Trans>,
    sent: <Trans>Sent {sent}</Trans>,
    failed: <Trans>Couldn’t be sent. Please check the address.</Trans>,
    redeemed: <Trans>Opened {opened}</Trans>,
    refunded: <Trans>Refunded</Trans>,
  };
  return (
    <chakra.span fontSize="sm" fontWeight={600} color={status === 'failed' ? 'danger' : undefined}>
      {texts[status]}
    </chakra.span>
  );
};

/** The form for another e-mail address of the gift, which is sent there unless it is scheduled. */
const AddressForm = ({ actor, gift }: Props & { gift: GivenGift }): ReactElement => {
  const { t } = useLingui();
  const { fields, problem } = useSelector(actor, ({ context }) => context);
  return (
    <MachineForm actor={actor} name="address" form={GiftAddressForm} flex="1 1 100%" gap={4} maxWidth="26rem">
      {problem === null ? null : <ProblemNotice problem={problem}>{formatReason(problem)}</ProblemNotice>}
      <AddressField
        autoComplete="off"
        label={t`Recipient’s email address`}
        hint={gift.status === 'scheduled' ? undefined : t`Links sent to an earlier address will stop working.`}
        defaultValue={gift.pii.email}
        fields={fields}
      />
      <FormAnswers actor={actor} event="address.submitted" busyText={t`Saving…`}>
        {gift.status === 'scheduled' ? <Trans>Save</Trans> : <Trans>Send the gift</Trans>}
      </FormAnswers>
      <span hidden ref={keepFocusWithin} />
    </MachineForm>
  );
};

const GiftActions = ({ actor, gift }: Props & { gift: GivenGift }): ReactElement | null => {
  const { t } = useLingui();
  const { giftId, status, pii } = gift;
  const { name } = pii;
  const chosenGiftId = useSelector(actor, ({ context }) => context.chosen);
  return isGiftOver(gift) ? null : (
    <chakra.span display="flex" flexWrap="wrap" gap={3}>
      {status === 'sent' || status === 'failed' ? (
        <EventButton
          actor={actor}
          event={{ type: 'resend.pressed', giftId }}
          look="outline"
          size="sm"
          disabled={chosenGiftId !== null}
          aria-label={t`Send the gift for ${name} again`}
        >
          {chosenGiftId === giftId ? <Spinner aria-hidden /> : null}
          <Trans>Send again</Trans>
        </EventButton>
      ) : null}
      <EventButton
        actor={actor}
        event={{ type: 'correct.pressed', giftId }}
        look="outline"
        size="sm"
        disabled={chosenGiftId !== null}
        aria-label={t`Correct the address of the gift for ${name}`}
      >
        <Trans>Correct the address…</Trans>
      </EventButton>
    </chakra.span>
  );
};

const Line = ({ actor, gift }: Props & { gift: GivenGift }): ReactElement => {
  const { t } = useLingui();
  const isCorrected = useSelector(actor, ({ context: { chosen, isCorrecting } }) => chosen === gift.giftId && isCorrecting);
  const { titleId, name, titles = [{ titleId, name }], transId, pii } = gift;
  const { name: recipient, email } = pii;
  return (
    <Row data-gift={gift.giftId}>
      <chakra.span flex="1 1 14rem" minWidth="0" overflowWrap="anywhere" display="grid" gap={1}>
        {titles.map((title) => (
          <TextLink key={title.titleId} href={titlePath(title.titleId, title.name)} justifySelf="start">
            {title.name}
          </TextLink>
        ))}
        <chakra.span color="inkMuted">
          {email === '' ? null : (
            <Trans>
              For {recipient}, {email}
            </Trans>
          )}
        </chakra.span>
        <Status gift={gift} />
      </chakra.span>
      <TextLink href={purchaseSuccessPath(transId, true)} aria-label={t`Receipt for ${name}`}>
        <Trans>Receipt</Trans>
      </TextLink>
      {isCorrected ? <AddressForm actor={actor} gift={gift} /> : <GiftActions actor={actor} gift={gift} />}
    </Row>
  );
};

/** The result of the last action. */
const Done = ({ actor }: Props): ReactElement => {
  const { done, gifts } = useSelector(actor, ({ context }) => context);
  const gift = gifts.find(({ giftId }) => giftId === done?.giftId);
  const email = gift?.pii.email;
  return (
    <Notice tone="success">
      {done === null || gift === undefined ? null : done.isCorrected && gift.status === 'scheduled' ? (
        <Trans>The gift will go to {email}.</Trans>
      ) : (
        <Trans>The gift is on its way to {email} again.</Trans>
      )}
    </Notice>
  );
};

/** The list of gifts; it stays visible while a gift is sent again. */
const Shown = ({ actor }: Props): ReactElement => {
  const { problem, gifts } = useSelector(actor, ({ context }) => context);
  const isShown = useSelector(actor, ({ value }) => value === 'shown');
  return (
    <>
      {problem === null || !isShown ? null : <ProblemNotice problem={problem}>{formatReason(problem)}</ProblemNotice>}
      <Done actor={actor} />
      <chakra.ul listStyleType="none">
        {gifts.map((gift) => (
          <Line key={gift.giftId} actor={actor} gift={gift} />
        ))}
      </chakra.ul>
      <span hidden ref={keepFocusWithin} />
    </>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your gifts</Trans>} />
);

const screens: Screens<typeof giftsMachine> = {
  loading: Fetching,
  shown: Shown,
  correcting: Shown,
  sending: Shown,
  empty: Empty,
  none: null,
  failed: Failed,
};

/** The gifts that the customer has given. */
export const Gifts = ({ actor }: Props): ReactElement => (
  <Section flow="gifts" actor={actor} screens={screens} heading={<Trans>Gifts</Trans>} />
);
