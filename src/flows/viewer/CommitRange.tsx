import type { ComponentProps, ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';

const Range = chakra('input', {
  base: {
    appearance: 'none',
    width: '100%',
    height: '44px',
    margin: 0,
    background: 'transparent',
    cursor: 'pointer',
    accentColor: 'currentColor',
    '&::-webkit-slider-runnable-track': {
      height: '4px',
      borderRadius: '2px',
      background: 'color-mix(in srgb, currentColor 24%, transparent)',
    },
    '&::-moz-range-track': {
      height: '4px',
      borderRadius: '2px',
      background: 'color-mix(in srgb, currentColor 24%, transparent)',
    },
    '&::-webkit-slider-thumb': {
      appearance: 'none',
      width: '18px',
      height: '18px',
      marginTop: '-7px',
      borderRadius: '50%',
      background: 'currentColor',
    },
    '&::-moz-range-thumb': {
      width: '18px',
      height: '18px',
      border: 0,
      borderRadius: '50%',
      background: 'currentColor',
    },
    '&::-moz-range-progress': { height: '4px', borderRadius: '2px', background: 'currentColor' },
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '0', borderRadius: '8px' },
    _disabled: { opacity: 0.4, cursor: 'default' },
  },
});

type Props = Omit<ComponentProps<typeof Range>, 'onChange' | 'value' | 'ref'> & {
  /** Called when the customer releases the slider, not while dragging. */
  onCommit: (value: number) => void;
  /** The slider's value while it is not dragged; absent where other code moves it. */
  currentValue?: number;
};

/**
 * A slider that reports only its release: React's `onChange` fires throughout a drag, the element's
 * own `change` event once at its end. It is uncontrolled, so that a page turn during a drag does
 * not move it.
 */
export const CommitRange = ({ onCommit, currentValue, ...inputProps }: Props): ReactElement => (
  <Range
    type="range"
    {...inputProps}
    ref={(node: HTMLInputElement | null) => {
      if (!node) return undefined;
      if (currentValue !== undefined && !node.matches(':active')) node.value = String(currentValue);
      const commit = () => onCommit(node.valueAsNumber);
      node.addEventListener('change', commit);
      return () => node.removeEventListener('change', commit);
    }}
  />
);
