export { flow } from '../ports/checkout.ts';
export { CheckoutView as Screens } from '../views/checkout/CheckoutView.tsx';
