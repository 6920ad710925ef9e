import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { taxMachine } from '../../../machines/buying/tax.ts';
import type { GiftForm, GiftLetter } from '../../../machines/model/gift.ts';
import { isFree } from '../../../machines/model/price.ts';
import { day } from '../../brand/facts.ts';
import { money } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Sheet } from '../../ui/Page.tsx';
import { AvailableIn } from '../../views/late/AvailableIn.tsx';
import { useChosenCredits } from '../../views/late/credits-text.ts';
import { PaymentChoice, PaymentNote } from '../../views/late/PaymentChoice.tsx';
import { TaxLines } from '../../views/late/TaxLines.tsx';
import { TestModeNote } from '../../views/late/TestModeNote.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import { GiftContent } from './GiftContent.tsx';
import type { GiftProps } from './outcome-screens.tsx';

const Paper = chakra('section', {
  base: {
    display: 'grid',
    gap: 3,
    bg: 'sunken',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    p: { base: 4, md: 6 },
    overflowWrap: 'anywhere',
    '& p': { whiteSpace: 'pre-line' },
  },
});

/** An e-mail, with the address of its recipient. */
const Sent = ({ to, children }: { to: string; children: ReactNode }): ReactElement => {
  const { t } = useLingui();
  return (
    <Paper aria-label={t`The email`} data-letter>
      <chakra.p fontSize="sm" color="inkMuted">
        <Trans>To: {to}</Trans>
      </chakra.p>
      {children}
    </Paper>
  );
};

/** The e-mail as the recipient will read it; its link leads nowhere yet. */
const Letter = ({ letter, to }: { letter: GiftLetter; to: string }): ReactElement => {
  return (
    <Sent to={to}>
      <chakra.h2 fontSize="lg">{letter.subject}</chakra.h2>
      {letter.before.map((paragraph, at) => (
        <p key={at}>{paragraph}</p>
      ))}
      <p>
        <chakra.span color="accentInk" textDecoration="underline">
          {letter.link}
        </chakra.span>
      </p>
      {letter.after.map((paragraph) => (
        <chakra.p key={paragraph} fontSize="sm" color="inkMuted">
          {paragraph}
        </chakra.p>
      ))}
    </Sent>
  );
};

/** The e-mail in the page's own words: the server does not show how it will look. */
const OwnWords = ({ form: { name, email: to, message } }: { form: GiftForm }): ReactElement => {
  const { t } = useLingui();
  return (
    <Sent to={to}>
      <p>{t`${name} gets an email with your gift.`}</p>
      {message === '' ? null : (
        <>
          <p>
            <Trans>Your message:</Trans>
          </p>
          <p>{message}</p>
        </>
      )}
    </Sent>
  );
};

const When = ({ form: { day: chosen }, today }: { form: GiftForm; today: string }): ReactElement => {
  const { i18n } = useLingui();
  const date = day(chosen, i18n.locale);
  return (
    <p>
      {chosen === '' || chosen === today ? (
        <Trans>It goes out as soon as it’s paid for.</Trans>
      ) : (
        <Trans>It goes out in the morning of {date}.</Trans>
      )}
    </p>
  );
};

/** The letter as it will look, what it costs, and the one button that pays for it. */
export const Checking = ({ actor }: GiftProps): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { context, children } = useSelector(actor, (state) => state);
  const inCredits = useChosenCredits(context);
  const { title, price, days, cardId, withCredits, method, tax, pii } = context;
  const taxed = children['tax'] as ActorRefFrom<typeof taxMachine> | undefined;
  const { form, letter } = pii;
  if (days === null || form === null) return null;
  const free = title !== null && isFree(title);
  const paysByCard = !free && cardId !== null && price !== null;
  const amount = price === null ? '' : money(tax ? { ...price, amount: tax.priceWithTax } : price, i18n.locale);
  return (
    <>
      <chakra.h1 fontSize="3xl" textAlign="center" mb={6}>
        <Trans>Your gift</Trans>
      </chakra.h1>
      <Sheet display="grid" gap={6}>
        <GiftContent actor={actor} />
        {letter === null ? <OwnWords form={form} /> : <Letter letter={letter} to={form.email} />}
        <When form={form} today={days.today} />
        {taxed === undefined || price === null || withCredits === true ? null : <TaxLines actor={taxed} price={price} />}
        <chakra.div display="grid" gap={3}>
          {free ? null : <PaymentChoice actor={actor} />}
          {free ? null : <TestModeNote />}
          <EventButton actor={actor} event={{ type: 'pay.pressed' }} size="lg" wide>
            {free ? (
              <Trans>Send the gift</Trans>
            ) : inCredits !== null ? (
              t`Give it for ${inCredits}`
            ) : paysByCard ? (
              <Trans>Pay {amount}</Trans>
            ) : (
              <Trans>Continue to payment</Trans>
            )}
          </EventButton>
          <EventButton actor={actor} event={{ type: 'change.pressed' }} look="quiet" wide>
            <Trans>Change something</Trans>
          </EventButton>
          {free ? null : (
            <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
              <PaymentNote inCredits={inCredits} byCard={paysByCard} method={method} />
            </chakra.p>
          )}
          <AvailableIn />
          <chakra.p fontSize="sm" color="inkMuted" textAlign="center">
            <Trans>It’s for the recipient alone: your own library stays as it is.</Trans>
          </chakra.p>
        </chakra.div>
      </Sheet>
      <span hidden ref={passFocus} />
    </>
  );
};
