import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { chakra } from './chakra.ts';

const Box = chakra('input', {
  base: {
    flex: 'none',
    width: '1.25rem',
    height: '1.25rem',
    mt: '0.125rem',
    accentColor: 'var(--c-colors-accent)',
    cursor: 'pointer',
  },
});

type CheckboxProps = ComponentProps<typeof Box> & {
  label: ReactNode;
  name: string;
  /** The validation error; null or missing when the choice is valid. */
  problem?: ReactNode;
};

/** A labelled, uncontrolled checkbox; its problem is its accessible description. */
export const Checkbox = ({ label, problem = null, ...input }: CheckboxProps): ReactElement => {
  const id = useId();
  return (
    <chakra.div display="grid" gap={1}>
      <chakra.div display="flex" gap={3}>
        <Box
          id={id}
          type="checkbox"
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          {...input}
        />
        <label htmlFor={id}>{label}</label>
      </chakra.div>
      {problem === null ? null : (
        <chakra.p id={`${id}-problem`} fontSize="sm" color="danger" fontWeight={600}>
          {problem}
        </chakra.p>
      )}
    </chakra.div>
  );
};
