import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { GiftForm, GiftLetter as Shown } from '../../../machines/model/buying/gift.ts';
import { day } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { usePurchase, type PurchaseProps } from './props.ts';

const Paper = chakra('section', {
  base: {
    display: 'grid',
    gap: 3,
    bg: 'sunken',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    p: { base: 4, md: 6 },
    // The reset gives every element its own value: children do not inherit it.
    '& *': { overflowWrap: 'anywhere' },
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
const Letter = ({ letter, to }: { letter: Shown; to: string }): ReactElement => {
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

/** The e-mail of a gift as it will look, and when it goes out. */
export const GiftLetter = ({ actor }: PurchaseProps): ReactElement | null => {
  const { days, pii } = usePurchase(actor);
  const { gift: form, letter } = pii;
  if (days === null || form === null) return null;
  return (
    <>
      {letter === null ? <OwnWords form={form} /> : <Letter letter={letter} to={form.email} />}
      <When form={form} today={days.today} />
    </>
  );
};
