import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';

const speeds = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

const Select = chakra('select', {
  base: {
    justifySelf: 'start',
    height: '44px',
    padding: '0 10px',
    borderRadius: '12px',
    border: '1px solid color-mix(in srgb, currentColor 24%, transparent)',
    background: 'var(--panel)',
    color: 'var(--ink)',
    fontSize: '15px',
    cursor: 'pointer',
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '2px' },
  },
});

type Props = { rate: number; disabled: boolean; onChoose: (rate: number) => void };

/** How fast the recording plays. */
export const SpeedSelect = ({ rate, disabled, onChoose }: Props): ReactElement => {
  const { t, i18n } = useLingui();
  const offered = speeds.includes(rate) ? speeds : [...speeds, rate].toSorted((a, b) => a - b);
  return (
    <Select
      value={rate}
      disabled={disabled}
      data-event="rate.chosen"
      aria-label={t`Speed`}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    >
      {offered.map((speed) => (
        <option key={speed} value={speed}>
          {i18n.number(speed, { maximumFractionDigits: 2 })}×
        </option>
      ))}
    </Select>
  );
};
