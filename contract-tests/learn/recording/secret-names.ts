// Names under which secrets stand.
import { singular, wordsOf } from './plain-words.ts';

/** What people type and nobody may read, however short; and what programs make, told from words by its form. */
const typed = new Set(
  'password passwd passphrase passcode pass pwd psw pw kennwort passwort senha contraseña clave wachtwoord hasło пароль passe parola salasana jelszo jelszó adgangskode sandi lozinka geslo heslo lösenord şifre sifre パスワ 비밀번호 credential secret hmac sign signing signature otp pin pincode cvv cvc iban ssn captcha mima 密码 口令 密钥'.split(
    ' ',
  ),
);
const made = new Set(
  'token cookie session sessionid csrf xsrf jwt bearer key apikey auth authorization code nonce 令牌 lingpai'.split(
    ' ',
  ),
);

export type KindOfSecret = 'typed' | 'made' | undefined;

/** Whether what stands under a name is secret. */
export function kindOfName(name: string): KindOfSecret {
  const words = wordsOf(name).map(singular);
  // "userpassword", "loginpwd": written together.
  if (
    words.some(
      (word) => typed.has(word) || /pass(word|wd|phrase|code)|pwd$|userpass|(pass|kenn)wort/.test(word),
    )
  )
    return 'typed';
  return words.some((word) => made.has(word)) ? 'made' : undefined;
}
