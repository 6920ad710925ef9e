import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';

const stepNames = { gift: msg`Gift`, summary: msg`Summary`, payment: msg`Payment`, done: msg`Done` };
export type Step = keyof typeof stepNames;
const allSteps: Step[] = ['gift', 'summary', 'payment', 'done'];

const Item = chakra('li', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: 2,
    color: 'inkMuted',
    fontSize: 'sm',
    fontWeight: 600,
    minWidth: 0,
    '&:not(:last-child)::after': { content: '""', width: 'clamp(0.75rem, 6vw, 4rem)', height: '1px', bg: 'lineStrong' },
    '&[aria-current]': { color: 'accentInk' },
    // On a narrow screen the names are below their numbers. Each step is as wide as its name, so
    // that nothing shifts in the next step.
    '@media (max-width: 30rem)': {
      flex: '1 1 auto',
      flexDirection: 'column',
      gap: 1,
      fontSize: 'xs',
      textAlign: 'center',
      '&::after': { display: 'none !important' },
    },
  },
});

const Dot = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '1.75rem',
    height: '1.75rem',
    flex: 'none',
    borderRadius: 'full',
    border: '1px solid',
    borderColor: 'lineStrong',
    fontVariantNumeric: 'tabular-nums',
    '[aria-current] > &': { bg: 'accent', color: 'accentText', borderColor: 'accent' },
    '[data-done] > &': { bg: 'accentSoft', color: 'accentInk', borderColor: 'accentSoft' },
  },
});

type Props = { current: Step; isFree: boolean; isGift: boolean };

/**
 * The progress of the purchase; a free title has no payment step, and only a gift has a writing
 * step.
 */
export const Steps = ({ current, isFree, isGift }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const isLeftOut = (step: Step): boolean => (step === 'payment' && isFree) || (step === 'gift' && !isGift);
  const steps = allSteps.filter((step) => step === current || !isLeftOut(step));
  const currentIndex = steps.indexOf(current);
  return (
    <chakra.ol
      aria-label={t`Checkout steps`}
      display="flex"
      justifyContent="center"
      gap={{ base: 1, md: 2 }}
      mb={8}
      listStyleType="none"
    >
      {steps.map((step, index) => (
        <Item key={step} aria-current={step === current ? 'step' : undefined} data-done={index < currentIndex ? '' : undefined}>
          <Dot aria-hidden>{index < currentIndex ? <Icon name="tick" size={14} /> : i18n.number(index + 1)}</Dot>
          <span>{i18n._(stepNames[step])}</span>
        </Item>
      ))}
    </chakra.ol>
  );
};
