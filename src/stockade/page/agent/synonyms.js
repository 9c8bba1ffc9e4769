// Words that mean the same to a person looking for a control: one line per idea, words and short
// phrases in the languages seen most, then the symbols that stand for it.
const Synonyms = (() => {
  const IDEAS = `
login, log in, sign in, signin, log on, logon, anmelden, einloggen, anmeldung, connexion, se connecter, iniciar sesion, acceder, entrar, accedi, inloggen, войти, вход, 登录, ログイン, 로그인
logout, log out, sign out, signout, log off, logoff, abmelden, ausloggen, deconnexion, cerrar sesion, sair, esci, выити, 退出, ログアウト
signup, sign up, register, registration, create account, create an account, join, registrieren, inscription, registrarse, crear cuenta, criar conta, cadastrar, creer un compte, konto erstellen, регистрация, 注册, 登録
search, find, lookup, look up, magnifier, query, suche, suchen, recherche, rechercher, buscar, cerca, cercare, zoeken, szukaj, поиск, искать, наити, 搜索, 検索, 검색 | 🔍 🔎
cart, basket, bag, trolley, shopping cart, shopping bag, warenkorb, panier, carrito, cesta, carrello, winkelwagen, корзина, 购物车, カート, 장바구니 | 🛒 🛍
delete, remove, trash, bin, erase, discard, del, wipe, loschen, entfernen, supprimer, eliminar, borrar, elimina, verwijderen, удалить, 删除, 削除, حذف | 🗑 🗑️ ⌫
close, dismiss, x, schliessen, fermer, cerrar, chiudi, закрыть, 关闭, 閉じる | × ✕ ✖ ✗ ✘ ❌ ⨯
cancel, abort, abbrechen, annuler, cancelar, annulla, отмена, отменить, 取消, キャンセル
next, forward, continue, right arrow, weiter, suivant, siguiente, avanti, следующии, далее, 下一页, 下一步, 次へ | → › » ▶ ⏭ ➡ >
previous, prev, back, backward, left arrow, zuruck, precedent, retour, anterior, volver, indietro, назад, 上一页, 返回, 戻る | ← ‹ « ◀ ⏮ ⬅ <
submit, send, go, done, finish, complete, absenden, senden, abschicken, envoyer, soumettre, enviar, invia, отправить, 提交, 发送, 送信 | ➤ ✉
save, apply, store, keep, speichern, enregistrer, guardar, salva, сохранить, 保存, 저장, حفظ | 💾
ok, okay, confirm, yes, bestatigen, confirmer, confirmar, подтвердить, 确定, 確認 | ✓ ✔ ✅
repeat, confirm, verify, retype, again, wiederholen
edit, change, modify, update, rename, pencil, bearbeiten, andern, modifier, editar, modifica, изменить, редактировать, 编辑, 編集 | ✎ ✏ ✏️ 🖉
increase, more, increment, raise, plus | +
add, new, create, plus, insert, compose, increase, hinzufugen, neu, ajouter, nouveau, anadir, agregar, nuevo, aggiungi, добавить, создать, 添加, 新建, 追加 | + ＋ ➕
minus, less, fewer, decrease, decrement, lower | − – ➖
settings, preferences, options, configuration, configure, gear, cog, einstellungen, parametres, configuracion, ajustes, impostazioni, настроики, 设置, 設定 | ⚙ ⚙️
menu, hamburger, navigation, drawer, メニュー, меню | ☰ ≡
more, overflow, kebab, ellipsis, dots, three dots, other actions, more options, more actions | ⋮ ⋯ … ︙
notification, bell, alert | 🔔
favorite, favourite, star, heart, wishlist, wish list, bookmark, like | ♡ ♥ ❤ ❤️ ☆ ★ ⭐ 🔖
user, person, people, avatar, member | 👤
account, profile, konto, compte, cuenta, аккаунт, профиль, 账户
home, homepage, start page, startseite, accueil, inicio | 🏠 ⌂
help, support, faq, question, hilfe, aide, ayuda, помощь, 帮助, ヘルプ | ❓ ?
download, export, herunterladen, telecharger, descargar, скачать, 下载, ダウンロード | ⬇ ⤓ ↓ 📥
upload, import, choose file, hochladen, 上传 | ⬆ ⤒ 📤
attach, attachment, paperclip, clip | 📎
share, teilen, partager, compartir, поделиться, 分享, 共有
print, printer, drucken, imprimer, imprimir | 🖨
copy, duplicate, clone, kopieren, copier, copiar | 📋 ⧉
undo, revert | ↶ ↩ ⎌
redo | ↷ ↪
refresh, reload, sync, aktualisieren | ⟳ ↻ 🔄
reset, restore, clear
filter, funnel, refine
sort, order by, arrange
play | ▶ ⏵
pause | ⏸
expand, show more, open
show, view, reveal, see, visible, display, anzeigen, voir, ver | 👁
collapse, hide, show less
link, hyperlink | 🔗
chat, message, conversation | 💬
comment, remark, note
email, mail, e mail, mail address, courriel, correo, почта, 邮箱, メール | 📧 ✉ @
phone, telephone, tel, mobile, cell, telefon, telefono, телефон, 电话, 電話 | 📞 ☎
picture, photo, image, avatar | 🖼
file, document
folder, directory
password, passcode, pass word, passwort, kennwort, mot de passe, contrasena, пароль, 密码, パスワード
username, user name, login name, user id, benutzername, utilisateur, usuario
birthday, birth, date of birth, birthdate, dob, geburtsdatum
recipient, to, addressee, receiver, beneficiary, payee
to, destination, arrival, arrive
from, origin, departure, depart, sender
direct, nonstop, non stop
jobs, careers, vacancies, hiring, career
inbox, messages, mailbox
subscribe, follow, subscription
retry, try again, repeat
select, choose, pick
seek, progress, timeline, scrub, progress bar
rewind, skip back, replay, back
fast forward, skip forward, skip ahead
mute, silence, volume off | 🔇
volume, sound, loudness | 🔊
fullscreen, full screen, maximize | ⛶
upvote, vote up, thumbs up, like | ▲ 👍
downvote, vote down, thumbs down, dislike | ▼ 👎
report, flag | ⚑ 🚩
reply, respond, answer, responder, antworten, repondre
quote, cite
publish, post, release
preview, look
swap, switch, exchange, reverse | ⇄ ⇆ ⇅
statement, account statement
balance, saldo, solde
invoice, bill, receipt, rechnung, facture, factura
order, orders, purchase
product, item, article
guest, visitor
limit, maximum, max
start, begin, launch
stop, end, halt | ⏹
first | ⏮
error, problem, warning | ⚠
info, information, details | ℹ
collapse all, expand all
theme, appearance, dark mode
size, dimension
color, colour, farbe, couleur
website, url, homepage, web address
feedback, review, rating, rate
zip, postal code, postcode, zipcode, zip code, plz, code postal, codigo postal
city, town, ort, stadt, ville, ciudad
state, province, region
first, given, forename, vorname, prenom
last, family, surname, nachname
company, organization, organisation, org, employer, firma, business
cvc, cvv, security code, card code
expiry, expiration, expires, valid until
voucher, coupon, promo, discount, gift code
pay, payment, purchase, buy, bezahlen, kaufen, payer, acheter, pagar, comprar, оплатить, купить, 支付, 购买, 購入 | 💳
checkout, check out, kasse, caisse
quantity, qty, amount, count, menge, anzahl
price, cost
description, about, details, bio, summary
message, body, text, content
language, locale, lang, sprache, langue, idioma, язык, 语言, 言語 | 🌐
terms, conditions, tos, agb
accept, agree, allow, consent, akzeptieren, zustimmen, accepter, aceptar, принять, 同意
reject, decline, deny, refuse, necessary, ablehnen, refuser, rechazar, отклонить, 拒绝
disable, deactivate, turn off, close
enable, activate, turn on
zoom, magnify, enlarge
calendar, date picker, schedule | 📅
location, map, address | 📍
lock, secure | 🔒
top, scroll up | ↑ ⌃
week, weekly
month, monthly
cookie, cookies | 🍪`;

  const parse = (line) => {
    const [words, signs = ''] = line.split(' | ');
    return Object.freeze({ words: words.split(', '), symbols: signs.split(' ').filter(Boolean) });
  };

  return Object.freeze({ ideas: () => IDEAS.trim().split('\n').map(parse) });
})();
