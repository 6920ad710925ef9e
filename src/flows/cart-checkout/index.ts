export { flow } from './ports.ts';
export { CartCheckoutView as Screens } from './CartCheckoutView.tsx';
